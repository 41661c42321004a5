/** The additional texts of the list of all texts. */
export function textsWords(t: (original: string) => string) {
  return {
    inTheShop: t('Translate in the shop'),
    area: t('Kind'),
    areas: { content: t('Texts of the merchant'), interface: t('Words of the shop'), slug: t('Addresses') },
    search: t('Search'),
    show: t('Show'),
    approve: t('The chosen ones are right'),
    approveThis: t('This is right'),
    nothing: t('There are no such texts.'),
    pages: t('Pages'),
    before: t('Back'),
    after: t('Next'),
    hint: t('Enter saves and goes on to the next text; Shift and Enter begin a new line.'),
  } as const
}
