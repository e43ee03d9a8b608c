"""A voice for Piper that hums: no person ever spoke for it, so it may lie in a test, and its sounds are known."""

import importlib
import importlib.util
import json
import math
from pathlib import Path
from typing import Any

MISSING = None if all(map(importlib.util.find_spec, ("piper", "onnx"))) else "pip install '.[piper-test]'"
"""What brings what it needs; None where that is there."""
RATE = 22_050
A_SOUND = 800
"""Samples for one phoneme; Piper puts a pause of the same length behind each."""


def hum(folder: Path) -> Path:
    """The ``.onnx`` file of the voice, which is written into ``folder`` with its ``.onnx.json``.

    Every phoneme is the same tone, the louder the greater its number: other words, another sound.
    """
    onnx: Any = importlib.import_module("onnx")
    helper, kind = onnx.helper, onnx.TensorProto
    tone = [math.sin(2 * math.pi * 220 * place / RATE) / 200 for place in range(A_SOUND)]
    graph = helper.make_graph(
        [
            helper.make_node("Cast", ["input"], ["numbers"], to=kind.FLOAT),
            helper.make_node("Reshape", ["numbers", "upright"], ["loudness"]),
            helper.make_node("MatMul", ["loudness", "tone"], ["sounds"]),
            helper.make_node("Reshape", ["sounds", "in a row"], ["output"]),
        ],
        "hum",
        [
            helper.make_tensor_value_info("input", kind.INT64, [1, "phonemes"]),
            helper.make_tensor_value_info("input_lengths", kind.INT64, [1]),
            helper.make_tensor_value_info("scales", kind.FLOAT, [3]),
        ],
        [helper.make_tensor_value_info("output", kind.FLOAT, [1, 1, 1, "samples"])],
        [
            helper.make_tensor("upright", kind.INT64, [2], [-1, 1]),
            helper.make_tensor("in a row", kind.INT64, [4], [1, 1, 1, -1]),
            helper.make_tensor("tone", kind.FLOAT, [1, A_SOUND], tone),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8)
    path = folder / "hum.onnx"
    onnx.save(model, str(path))
    phoneme_ids: Any = importlib.import_module("piper.phoneme_ids")
    about = {
        "audio": {"sample_rate": RATE},
        "espeak": {"voice": "en-us"},
        "num_speakers": 1,
        "num_symbols": 256,
        "phoneme_id_map": phoneme_ids.DEFAULT_PHONEME_ID_MAP,
    }
    path.with_suffix(".onnx.json").write_text(json.dumps(about), encoding="utf-8")
    return path
