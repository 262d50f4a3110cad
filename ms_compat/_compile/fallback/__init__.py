"""What happens where a function is not simply compiled: graph breaks, many shapes, slow compilations, explanations."""
