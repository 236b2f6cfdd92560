"""The wrapper ablation: does the text around a context suppress gold that the context leaves out?

The same questions, each with a context that leaves some gold out, under wrappers that differ in one
instruction. What came of each left-out item is told apart: recovered, contradicted, abstained from,
or omitted. Source: paper section 10.4 and its conclusion, experiment (iii).
"""
