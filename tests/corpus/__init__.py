"""Tests of reading ontologies, surveying them and starting a study."""
