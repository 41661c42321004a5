/**
 * The largest price of one piece that is taken down, in minor units: a thousand million, where a currency has cents. In a
 * currency of ten thousand to one it is still an exact number.
 */
export const largestPrice = 100_000_000_000

/**
 * The most that all goods of a cart may cost together, in minor units of the currency that is shown, before discounts and taxes. What
 * taxes, fees and another currency make of it stays exact: a number can hold ninety times as much (T9).
 */
export const largestGoods = 100_000_000_000_000
