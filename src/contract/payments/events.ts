/** See `events.ts`. */
export const paymentEvents = {
  /** Args: the provider's global object, the parameters it was loaded with. */
  sdkLoaded: 'paypalInstanceCreated',
  /** Args: error. */
  sdkFailed: 'paypalLoadError',
} as const
