"""Writes inspect.eval (four samples) and inspect.json (two) with inspect_ai's mock model."""

import shutil

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, prompt_template

SAMPLES = [
    Sample(
        id="bread-1",
        input="What does sourdough need?",
        target=["Levain"],
        metadata={"page": "Sourdough needs Levain and Wheat Flour."},
    ),
    Sample(
        id="bread-2",
        input="Which doughs rest overnight?",
        target=["Brioche Dough", "Rye Dough"],
        metadata={"page": "Brioche Dough rests overnight."},
    ),
    Sample(
        id="bread-3",
        input=[
            ChatMessageSystem(content="Page: Baguette uses Poolish."),
            ChatMessageUser(content="What does a baguette use?"),
        ],
        target="Poolish",
        metadata={"page": "-"},
    ),
    Sample(
        id=4,
        input="Which one raises dough?",
        choices=["Yeast Culture", "Table Salt"],
        target="A",
        metadata={"page": "Salt tightens gluten."},
    ),
]
MODEL = "mockllm/model"
OUTPUTS = [
    ModelOutput.from_content(MODEL, "It needs a Levain."),
    ModelOutput.from_content(MODEL, "Brioche", stop_reason="max_tokens"),
    ModelOutput.from_content(MODEL, "A poolish, I think."),
    ModelOutput.from_content(MODEL, ""),
]
for output in OUTPUTS:  # stated, so that no tokeniser has to be fetched
    output.usage = ModelUsage(input_tokens=9, output_tokens=3, total_tokens=12)

for form, n in (("eval", 4), ("json", 2)):
    task = Task(
        name="bakery",
        dataset=MemoryDataset(SAMPLES[:n]),
        solver=[prompt_template("Page: {page}\n\n{prompt}"), generate()],
        scorer=includes(),
    )
    (log,) = eval(
        task,
        model=get_model(MODEL, custom_outputs=list(OUTPUTS[:n])),
        log_format=form,
        log_dir="logs",
        max_samples=1,
        max_connections=1,
        display="none",
    )
    shutil.copy(log.location, f"inspect.{form}")
