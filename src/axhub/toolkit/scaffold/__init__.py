"""Makes the files of a new Tool Service or tool (toolkit/T5): plain templates, no network, nothing overwritten."""
