"""How often is it right? What a replay tells, held against what is known to have happened."""
