export * from './types/messages/de.js';
