/** A root that is computed leaf by leaf, keeping one hash for each size of whole subtree. */
export declare class Tree {
    private size;
    private readonly whole;
    add(leaf: string): void;
    get root(): string;
}
