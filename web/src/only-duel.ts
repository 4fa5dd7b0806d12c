// A placeholder until the randomiser is here.
export { digestOf } from './index.js';
