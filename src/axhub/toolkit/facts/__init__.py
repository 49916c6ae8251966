"""What is known about a Tool Service before any rule looks at it, and how rules go through it; pure."""
