export * from './types/messages/en.js';
