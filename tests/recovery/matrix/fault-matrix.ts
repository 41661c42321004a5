/**
 * Which failures a purchase must survive, and at which of its steps. `fault-matrix.test.ts` holds it against the tests.
 *
 * A test says what it covers in its title, in words that this table uses as well (`titles.ts` reads them):
 *
 *     F6 at S8                     one cell
 *     F6 at S6 and S11             several steps; `S5 S6 S10`, `S5, S6 and S10` and `S9 to S12` say the same of theirs
 *     F7 F4 at S16                 several faults; `F12 and F13 at S11` too
 *     F17                          a fault that belongs to no step
 *
 * Such words may stand anywhere in a title, several times too. Rows of a table count like titles.
 */

/** What a purchase consists of. */
export const steps = {
  S1: 'add to cart',
  S2: 'change quantity',
  S3: 'coupon',
  S4: 'shipping method or address',
  S5: 'start payment: the order is placed',
  S6: 'open the order at the provider',
  S7: 'approval by the shopper',
  S8: 'the provider asks what another shipping costs',
  S9: 'return and review',
  S10: 'submit the checkout',
  S11: 'take the money',
  S12: 'record what was taken',
  S13: 'mark as paid, message, empty the cart',
  S14: 'go to the confirmation',
  S15: 'keep a way to pay',
  S16: 'give money back',
} as const

export type Step = keyof typeof steps

export const faults = {
  F1: 'process killed before commit',
  F2: 'process killed after commit, before the answer',
  F3: 'killed between the note of an attempt and the call',
  F4: 'killed after the call, before it was recorded',
  F5: 'database busy, read-only or full',
  F6: 'provider: connection refused, name unknown',
  F7: 'provider: no answer, outcome unknown',
  F8: 'provider: 500 to 504',
  F9: 'provider: 429 with Retry-After',
  F10: 'provider: access token expired',
  F11: 'provider: slow, cut, malformed or huge answer',
  F12: 'provider: declined, action required, done before, not approved, voided, other amount',
  F13: 'provider: the payment is under review',
  F14: 'notification before the browser returns',
  F15: 'notification only, the browser never returns',
  F16: 'browser only, notifications lost',
  F17: 'notification doubled, reordered, late, replayed, forged, of another merchant or environment',
  F18: 'pressed twice, sent twice at once',
  F19: 'two tabs with different carts or ways to pay',
  F20: 'Back and reload on every page',
  F21: 'network cut before, during and after a request of the browser',
  F22: 'window of the wallet closed or cancelled',
  F23: 'session over, logged in or out during the checkout',
  F24: 'price, tax or shipping changed by staff',
  F25: 'product sold out or taken off the shelf',
  F26: 'many buyers, one unit',
  F27: 'many uses of a coupon with a limit',
  F28: 'reservation over while the shopper approves',
  F29: 'clock jumps',
  F30: 'jobs that fail again and again',
  F31: 'mail server down for a day',
  F32: 'translation, statistics or rates down',
  F33: 'payment script blocked, slow, broken or loaded twice',
  F34: 'no script at all',
  F35: 'rolling restart, upgrade with another schema',
  F36: 'restore of a backup',
  F37: 'load, slow readers, idle connections',
  F38: 'refund twice, above the rest, or while disputed',
  F39: 'question about shipping late, of another order or with a foreign method',
  F40: 'second capture by another order of the provider',
} as const

export type Fault = keyof typeof faults

/** Where each fault can strike, and so must be survived; '' for one that belongs to no step. */
export const demanded: Readonly<Record<Fault, string>> = {
  F1: 'S1 to S16',
  F2: 'S1 to S16',
  F3: 'S6 S8 S11 S15 S16',
  F4: 'S6 S11 S15 S16',
  F5: 'S1 to S16',
  F6: 'S6 S8 S11 S15 S16',
  F7: 'S6 S11 S16',
  F8: 'S6 S11 S16',
  F9: 'S6 S11 S16',
  F10: 'S6 S11 S16',
  F11: 'S6 S11 S16',
  F12: 'S6 S11',
  F13: 'S11',
  F14: 'S9 to S12',
  F15: 'S9 to S14',
  F16: 'S11 to S13',
  F17: '',
  F18: 'S1 to S5, S10, S16',
  F19: 'S1 to S14',
  F20: 'S5 to S14',
  F21: 'S1 to S16',
  F22: 'S7',
  F23: 'S4 to S13',
  F24: 'S5 to S11',
  F25: 'S1 to S11',
  F26: 'S5',
  F27: 'S3 S5',
  F28: 'S7 to S11',
  F29: '',
  F30: '',
  F31: 'S13',
  F32: '',
  F33: 'S5 to S7',
  F34: 'S1 to S14',
  F35: 'S1 to S16',
  F36: '',
  F37: '',
  F38: 'S16',
  F39: 'S8',
  F40: 'S11',
}

/** What is not asked for, by fault or by cells as titles name them, each with its reason. */
export const later: Readonly<Record<string, string>> = {
  'F21 at S16': 'money is given back by commands beside the shop, which no browser sends',
  'F5 at S7': 'the buyer approves at the provider: the shop is not asked',
}
