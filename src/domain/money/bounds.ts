/**
 * Maximum accepted price of one piece, in minor units: a thousand million, where a currency has cents. In a currency of
 * ten thousand to one it is still an exact number.
 */
export const largestPrice = 100_000_000_000

/**
 * Maximum sum of all goods of a cart, in minor units of the displayed currency, before discounts and taxes. Taxes, fees
 * and conversion of it stay exact: a number can represent ninety times as much (T9).
 */
export const largestGoods = 100_000_000_000_000
