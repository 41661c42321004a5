/** Returns the list separator of a language, without an "and". @param language a BCP 47 tag */
export function comma(language: string): string {
  switch (language.split('-')[0]) {
    case 'ar':
    case 'fa':
    case 'ur':
      return '، '
    case 'ja':
    case 'zh':
      return '、'
    default:
      return ', '
  }
}
