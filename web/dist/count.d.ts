export * from './types/count/index.js';
