import type { Application } from '../operations/startup/application.ts'

/**
 * The shop in the language that an order or a customer keeps. Where the shop does not speak it any more, in another form of
 * it (`de-AT` for `de-DE`), else in its own.
 * @param tag '' for the shop's own
 */
export function viewIn(app: Pick<Application, 'languages' | 'inLanguage'>, tag: string): Application {
  const spoken = app.languages().filter(({ published }) => published)
  const { language } = new Intl.Locale(tag || 'und')
  const found =
    spoken.find((one) => one.tag === tag) ?? spoken.find((one) => new Intl.Locale(one.tag).language === language)
  return app.inLanguage((found ?? spoken.find(({ slug }) => slug === ''))?.tag ?? tag)
}
