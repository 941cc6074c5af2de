"""The site: static files that show the results, the designs, the papers and the pages of docs/."""
