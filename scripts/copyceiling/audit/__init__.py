"""The semantic audit: does an answer assert what the matcher credits it with naming?"""
