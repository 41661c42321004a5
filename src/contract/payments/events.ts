/** See `events.ts`. */
export const paymentEvents = {
  /** Args: PayPal's global object, its load parameters. */
  sdkLoaded: 'paypalInstanceCreated',
  /** Args: error. */
  sdkFailed: 'paypalLoadError',
} as const
