"""The semantic re-score: does the copy ceiling hold under a matcher that tolerates paraphrase?

Source: paper section 6, STUDIES section 1. Answers and visible inputs are cut into spans, and a
gold title counts as found where some span's vector comes near enough to the title's. One function
scores both sides, so that a verbatim copy has gain 0 at every threshold.
"""
