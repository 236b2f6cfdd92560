"""Writes lm_eval.jsonl and lm_eval_choice.jsonl with lm-evaluation-harness and a made-up model."""

import json
import shutil
from pathlib import Path

import lm_eval
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker

PAGES = [
    ("What does sourdough need?", "Sourdough needs Levain.", "Levain"),
    ("What does rye bread need?", "Rye bread needs Rye Flour.", "Rye"),
    ("What does brioche need?", "Brioche is sweet.", "Butter"),
]
DOCS = [{"question": q, "page": page, "answer": answer} for q, page, answer in PAGES]
COMMON = {
    "dataset_path": "json",
    "dataset_kwargs": {"data_files": {"test": "docs.jsonl"}},
    "test_split": "test",
    "doc_to_text": "{{page}}\nQuestion: {{question}}\nAnswer:",
    "doc_to_target": "{{answer}}",
}
TASKS = [
    {
        **COMMON,
        "task": "lm_eval",
        "output_type": "generate_until",
        "generation_kwargs": {"until": ["\n"]},
        "metric_list": [{"metric": "exact_match"}],
    },
    {
        **COMMON,
        "task": "lm_eval_choice",
        "output_type": "multiple_choice",
        "doc_to_choice": ["Levain", "Rye", "Butter"],
        "metric_list": [{"metric": "acc"}],
    },
]


class Parrot(LM):
    """Repeats the page, and is silent about rye."""

    def loglikelihood(self, requests):
        return [(-1.0, False) for _ in requests]

    def loglikelihood_rolling(self, requests):
        return [-1.0 for _ in requests]

    def generate_until(self, requests):
        return ["" if "rye" in r.args[0] else r.args[0].split(".")[0] for r in requests]


Path("docs.jsonl").write_text("".join(json.dumps(d) + "\n" for d in DOCS))
results = lm_eval.simple_evaluate(model=Parrot(), tasks=TASKS, log_samples=True, bootstrap_iters=0)
tracker = EvaluationTracker(output_path="out")
tracker.general_config_tracker.model_name_sanitized = "parrot"
tracker.date_id = "date"
for name, samples in results["samples"].items():
    tracker.save_results_samples(name, samples)
    shutil.copy(f"out/parrot/samples_{name}_date.jsonl", f"{name}.jsonl")
