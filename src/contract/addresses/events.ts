/** See `events.ts`. */
export const addressEvents = {
  /** Args: country, wrapper; neither when the calculator was opened. */
  stateFieldChanged: 'country_to_state_changed',
  /** Args: country, wrapper. */
  stateFieldChanging: 'country_to_state_changing',
  localeReady: 'wc_address_i18n_ready',
} as const
