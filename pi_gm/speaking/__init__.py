"""From captions to sound: what is said when, in which words, and what was made for it in advance.

What makes the clips and what plays them is handed in; this package knows no sound device.
"""
