"""What every model is given and leaves: tasks, options, scaling, encoders, the trained model."""
