j
location../w.binpBx