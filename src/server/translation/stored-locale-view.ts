import type { Application } from '../operations/startup/application.ts'

/**
 * Returns the shop in the language of an order or a customer. If the shop no longer has it, uses another form of it
 * (`de-AT` for `de-DE`), otherwise its own language.
 * @param tag '' for the shop's own
 */
export function viewIn(app: Pick<Application, 'languages' | 'inLanguage'>, tag: string): Application {
  const spoken = app.languages().filter(({ published }) => published)
  const { language } = new Intl.Locale(tag || 'und')
  const found =
    spoken.find((one) => one.tag === tag) ?? spoken.find((one) => new Intl.Locale(one.tag).language === language)
  return app.inLanguage((found ?? spoken.find(({ slug }) => slug === ''))?.tag ?? tag)
}
