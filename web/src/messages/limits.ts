// Written by web/catalogue.py from the catalogue of the Python package.
/** The epsilon beyond which hardly anything is protected. */
export const LITTLE = 5n;
