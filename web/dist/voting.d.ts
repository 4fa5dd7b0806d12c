export * from './types/voting.js';
