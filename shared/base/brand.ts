/** A nominal type over a primitive: `Brand<string, 'ObjectKey'>`. Each brand has exactly one parse function. */
declare const brand: unique symbol;
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
