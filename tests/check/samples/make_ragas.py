"""Writes ragas.jsonl with ragas' own dataset class."""

from ragas import EvaluationDataset

EvaluationDataset.from_list(
    [
        {
            "user_input": "What does sourdough need?",
            "retrieved_contexts": ["Sourdough needs Levain.", "Bread is old."],
            "response": "A Levain.",
            "reference": "Levain",
        },
        {
            "user_input": "What does brioche need?",
            "retrieved_contexts": ["Brioche is sweet."],
            "response": "",
            "reference": "Butter",
        },
        {
            "user_input": "What does rye bread need?",
            "retrieved_contexts": [],
            "response": "Rye Flour, surely.",
            "reference": "Rye Flour",
        },
    ]
).to_jsonl("ragas.jsonl")
