// A placeholder until the catalogue is here.
export const over = '{plus} over {minus}';
