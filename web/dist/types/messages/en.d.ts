export declare const over = "{plus} over {minus}";
