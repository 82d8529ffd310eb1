"""What is wrong in a memory that agents shared without contracts, a plan that mends it, and the plan carried out through the guarded path."""
