"""Tiny pipelines of mindone's diffusers against those of diffusers with the same weights: prints differences as JSON.

Both start from the same text, latents and images; further noise is drawn from one generator of NumPy, which is the
kind of generator that mindone's pipelines take.
"""

import json
import pathlib
import sys
import tempfile
from unittest import mock

import numpy as np

from tests.ecosystem.mindone_models import difference, told

STEPS = 3


def tokenizer(folder: str, name: str):
    """A tokenizer of single bytes, made from files in a folder."""
    import transformers
    from transformers.models.clip.tokenization_clip import bytes_to_unicode

    characters = list(bytes_to_unicode().values())
    words = [*characters, *(c + "</w>" for c in characters), "<|startoftext|>", "<|endoftext|>"]
    vocabulary, merges = pathlib.Path(folder, f"{name}.json"), pathlib.Path(folder, f"{name}.txt")
    vocabulary.write_text(json.dumps({word: i for i, word in enumerate(words)}), encoding="utf-8")
    merges.write_text("#version: 0.2\n", encoding="utf-8")
    return transformers.CLIPTokenizer(str(vocabulary), str(merges), model_max_length=16)


def text_encoder(kind: str = "CLIPTextModel", **settings):
    """An encoder of what the tokenizer gives."""
    import transformers

    if kind == "T5EncoderModel":
        config = transformers.T5Config(vocab_size=514, d_model=32, d_kv=8, d_ff=37, num_layers=2, num_heads=4)
    else:
        config = transformers.CLIPTextConfig(
            vocab_size=514,
            hidden_size=32,
            intermediate_size=37,
            num_hidden_layers=2,
            num_attention_heads=4,
            max_position_embeddings=16,
            bos_token_id=512,
            eos_token_id=513,
            pad_token_id=513,
            **settings,
        )
    return getattr(transformers, kind)(config).eval()


BLOCKS = {"block_out_channels": (8, 16), "norm_num_groups": 4, "layers_per_block": 1}
DOWN, UP = ("DownBlock2D", "CrossAttnDownBlock2D"), ("CrossAttnUpBlock2D", "UpBlock2D")


def vae(**settings):
    """An autoencoder between 16 x 16 pixels and 4 latents of 8 x 8."""
    import diffusers

    return diffusers.AutoencoderKL(
        **BLOCKS,
        down_block_types=("DownEncoderBlock2D",) * 2,
        up_block_types=("UpDecoderBlock2D",) * 2,
        latent_channels=4,
        sample_size=16,
        **settings,
    )


def unet(channels: int = 4, width: int = 32, **settings):
    """A UNet of two levels."""
    import diffusers

    return diffusers.UNet2DConditionModel(
        **BLOCKS,
        sample_size=8,
        in_channels=channels,
        out_channels=4,
        down_block_types=DOWN,
        up_block_types=UP,
        cross_attention_dim=width,
        attention_head_dim=4,
        **settings,
    )


def stable(name: str, folder: str, channels: int = 4, **parts):
    """A pipeline of Stable Diffusion's kind."""
    import diffusers

    return getattr(diffusers, name)(
        vae=vae(),
        text_encoder=text_encoder(),
        tokenizer=tokenizer(folder, "words"),
        unet=unet(channels),
        scheduler=diffusers.DDIMScheduler(clip_sample=False, steps_offset=1),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
        **parts,
    )


def controlled(name: str, folder: str):
    """Stable Diffusion with a ControlNet."""
    import diffusers

    net = diffusers.ControlNetModel(
        **BLOCKS,
        down_block_types=DOWN,
        cross_attention_dim=32,
        attention_head_dim=4,
        conditioning_embedding_out_channels=(4, 8),
    )
    return stable(name, folder, controlnet=net)


def two_encoders(folder: str, second: str = "CLIPTextModelWithProjection", first: str = "CLIPTextModel"):
    """Two encoders of text with their tokenizers."""
    return {
        "text_encoder": text_encoder(first, projection_dim=32),
        "tokenizer": tokenizer(folder, "words"),
        "text_encoder_2": text_encoder(second, projection_dim=32),
        "tokenizer_2": tokenizer(folder, "words_2"),
    }


def xl(name: str, folder: str):
    """A pipeline of Stable Diffusion XL's kind."""
    import diffusers

    net = unet(
        width=64, addition_embed_type="text_time", addition_time_embed_dim=8, projection_class_embeddings_input_dim=80
    )
    return getattr(diffusers, name)(
        **two_encoders(folder),
        vae=vae(),
        unet=net,
        scheduler=diffusers.EulerDiscreteScheduler(),
        add_watermarker=False,
    )


def third(name: str, folder: str):
    """Stable Diffusion 3."""
    import diffusers

    return getattr(diffusers, name)(
        **two_encoders(folder, first="CLIPTextModelWithProjection"),
        text_encoder_3=text_encoder("T5EncoderModel"),
        tokenizer_3=tokenizer(folder, "words_3"),
        vae=vae(shift_factor=0.06, use_quant_conv=False, use_post_quant_conv=False),
        transformer=diffusers.SD3Transformer2DModel(
            sample_size=8,
            patch_size=1,
            in_channels=4,
            out_channels=4,
            num_layers=2,
            attention_head_dim=8,
            num_attention_heads=4,
            joint_attention_dim=32,
            caption_projection_dim=32,
            pooled_projection_dim=64,
        ),
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(),
    )


def flux(name: str, folder: str):
    """FLUX."""
    import diffusers

    return getattr(diffusers, name)(
        **two_encoders(folder, "T5EncoderModel"),
        vae=vae(shift_factor=0.06, use_quant_conv=False, use_post_quant_conv=False),
        transformer=diffusers.FluxTransformer2DModel(
            patch_size=1,
            in_channels=16,
            num_layers=1,
            num_single_layers=1,
            attention_head_dim=16,
            num_attention_heads=2,
            joint_attention_dim=32,
            pooled_projection_dim=32,
            axes_dims_rope=(4, 4, 8),
        ),
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(),
    )


def pixart(name: str, folder: str):
    """PixArt."""
    import diffusers

    return getattr(diffusers, name)(
        text_encoder=text_encoder("T5EncoderModel"),
        tokenizer=tokenizer(folder, "words"),
        vae=vae(),
        transformer=diffusers.PixArtTransformer2DModel(
            sample_size=8,
            num_layers=2,
            patch_size=2,
            attention_head_dim=8,
            num_attention_heads=4,
            caption_channels=32,
            in_channels=4,
            cross_attention_dim=32,
            out_channels=8,
        ),
        scheduler=diffusers.DDIMScheduler(clip_sample=False),
    )


def pixels(name: str, folder: str):
    """A pipeline without text."""
    import diffusers

    net = diffusers.UNet2DModel(
        **BLOCKS,
        sample_size=8,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"),
        up_block_types=("AttnUpBlock2D", "UpBlock2D"),
    )
    return getattr(diffusers, name)(net, diffusers.DDPMScheduler() if "DDPM" in name else diffusers.DDIMScheduler())


RNG = np.random.RandomState(0)
LATENTS = {"latents": RNG.randn(1, 4, 8, 8).astype(np.float32)}
SIZE = {"height": 16, "width": 16}
IMAGE = {"image": RNG.rand(1, 3, 16, 16).astype(np.float32)}
MASK = {"mask_image": (RNG.rand(1, 1, 16, 16) > 0.5).astype(np.float32)}
TEXT = {"prompt": "a cat", "guidance_scale": 5.0}
# what makes it, and what both take
PIPELINES = {
    "StableDiffusionPipeline": (stable, TEXT | LATENTS),
    "StableDiffusionImg2ImgPipeline": (stable, TEXT | IMAGE | {"strength": 0.9}),
    "StableDiffusionInpaintPipeline": (stable, TEXT | IMAGE | MASK | LATENTS | SIZE | {"strength": 1.0}),
    "StableDiffusionControlNetPipeline": (controlled, TEXT | IMAGE | LATENTS),
    "StableDiffusionXLPipeline": (xl, TEXT | LATENTS | SIZE),
    "StableDiffusionXLImg2ImgPipeline": (xl, TEXT | IMAGE | {"strength": 0.9}),
    "StableDiffusion3Pipeline": (third, TEXT | LATENTS | SIZE | {"max_sequence_length": 16}),
    "FluxPipeline": (
        flux,
        TEXT | SIZE | {"max_sequence_length": 16, "latents": RNG.randn(1, 16, 16).astype(np.float32)},
    ),
    "PixArtSigmaPipeline": (
        pixart,
        TEXT | LATENTS | SIZE | {"max_sequence_length": 16, "use_resolution_binning": False, "clean_caption": False},
    ),
    "DDPMPipeline": (pixels, {}),
    "DDIMPipeline": (pixels, {"eta": 0.5}),
}
OUTCOMES = ("builds", "PYNATIVE", "GRAPH")
FAULTS = {
    "PixArtSigmaPipeline": (
        {"PYNATIVE", "GRAPH"},
        "where flash attention is not at hand, its attention adds a mask of four dimensions to scores of three",
    ),
}


def made(name: str, folder: str):
    """The pipeline of diffusers."""
    import torch

    torch.manual_seed(0)
    pipeline = PIPELINES[name][0](name, folder)
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def expected(pipeline, settings: dict) -> np.ndarray:
    """The images of diffusers, which draws from the generator that mindone is given."""
    import torch

    rng = np.random.default_rng(7)

    def drawn(shape, *_, dtype=None, **__):
        return torch.tensor(rng.standard_normal(tuple(shape)).astype(np.float32)).to(dtype or torch.float32)

    settings = {key: torch.tensor(v) if isinstance(v, np.ndarray) else v for key, v in settings.items()}
    with mock.patch("torch.randn", drawn):
        return pipeline(**settings, num_inference_steps=STEPS, output_type="np").images


def compare(name: str) -> dict[str, float | str]:
    """The differences of the images in both modes."""
    import mindspore as ms
    import torch
    from mindone import diffusers

    torch.set_num_threads(1)
    settings, found = PIPELINES[name][1], {}
    with tempfile.TemporaryDirectory() as folder:
        theirs = made(name, folder)
        images = expected(theirs, settings)
        theirs.save_pretrained(pathlib.Path(folder, "saved"))
        with told(found, "builds"):
            ours = getattr(diffusers, name).from_pretrained(str(pathlib.Path(folder, "saved")))
            found["builds"] = 0.0
    if found["builds"]:
        return found
    ours.set_progress_bar_config(disable=True)
    for mode in ("PYNATIVE", "GRAPH"):
        ms.set_context(mode=getattr(ms, f"{mode}_MODE"))
        with told(found, mode):
            taken = {key: ms.Tensor(v) if isinstance(v, np.ndarray) else v for key, v in settings.items()}
            drawn = {"generator": np.random.default_rng(7)}
            got = ours(**taken, **drawn, num_inference_steps=STEPS, output_type="np")[0]
            found[mode] = difference(np.asarray(got), images)
    return found


if __name__ == "__main__":
    print(json.dumps({name: compare(name) for name in sys.argv[1:] or PIPELINES}))
