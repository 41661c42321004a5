/** The additional texts of the list of all texts. */
export function textsWords(t: (original: string) => string) {
  return {
    inTheShop: t('Translate in the shop'),
    area: t('Kind'),
    areas: { content: t('Merchant’s texts'), interface: t('Interface texts'), slug: t('Addresses') },
    search: t('Search'),
    show: t('Show'),
    approve: t('Confirm the selected texts'),
    approveThis: t('Confirm'),
    nothing: t('No texts found.'),
    pages: t('Pages'),
    before: t('Back'),
    after: t('Next'),
    hint: t('Enter saves and goes to the next text; Shift and Enter start a new line.'),
  } as const
}
