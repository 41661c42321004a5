/** The React islands that no page loads before they are used or a shopper is there, by name. */
export const components = {
  'accelerated-checkout': async () =>
    (await import('./payments/accelerated/accelerated-checkout.tsx')).AcceleratedCheckout,
  'card-fields': async () => (await import('./payments/card-fields.tsx')).CardFields,
  'currency-switcher': async () => (await import('./currency/currency-switcher.tsx')).CurrencySwitcher,
  'password-strength': async () => (await import('./customers/password-strength.tsx')).PasswordStrength,
  'wallet-buttons': async () => (await import('./payments/wallet-buttons.tsx')).WalletButtons,
}
