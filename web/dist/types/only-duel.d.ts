export { digestOf } from './index.js';
