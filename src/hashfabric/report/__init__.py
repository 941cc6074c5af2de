"""Tables, plots and pages made of the rows in results/."""
