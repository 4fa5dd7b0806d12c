// Styles that a page imports: the build makes one file of them.
declare module '*.css';
