"""Inputs and results of every model: tasks, options, scaling, encoders, the trained model."""
