"""What layers compute: convolutions, normalisations, dropout, embeddings."""
