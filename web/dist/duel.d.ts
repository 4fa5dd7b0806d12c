export * from './types/only-duel.js';
