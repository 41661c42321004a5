import { urls } from '#contract/shared/urls.ts'
import type { ConsentCategory } from '#contract/statistics/consent.ts'
import { type ConsentFacts, useShop } from '../shared/shop-context.tsx'

/**
 * The consent banner. Pages are the same for all visitors: a script shows it if there is no answer yet. Without scripts
 * nothing optional is stored, and the banner stays hidden.
 */
export function ConsentBanner() {
  const { consent, t } = useShop()
  const policyPath = usePolicyPath()
  if (!consent) return null
  return (
    <form
      className="consent"
      id="privacy-choices"
      aria-labelledby="privacy-choices-title"
      data-days={consent.days}
      data-saved={t('Your choice is saved.')}
      data-takenback={t('Your choice is saved. Data stored for what you turned off has been deleted.')}
      hidden
    >
      <div className="consent__inner">
        <div className="consent__words">
          <h2 id="privacy-choices-title">{t('Privacy choices')}</h2>
          <p>
            {t(
              'We would like to remember or count a little more than the shop needs to work. You decide, and you can change your mind at the bottom of every page.',
            )}
            {policyPath && (
              <>
                {' '}
                <a href={policyPath}>{t('What we keep and why')}</a>
              </>
            )}
          </p>
          <p data-gpc="" hidden>
            {t(
              'Your browser asks us not to track you (Global Privacy Control). We respect that unless you choose otherwise here.',
            )}
          </p>
        </div>
        <ConsentChoices consent={consent} />
        {/* Equal look and size: no answer is favoured. */}
        <div className="consent__answers">
          <button className="button" type="button" value="all">
            {t('Accept all')}
          </button>
          <button className="button" type="button" value="none">
            {t('Only necessary')}
          </button>
          <button className="button" type="button" value="choose" data-when="question">
            {t('Choose')}
          </button>
          <button className="button" type="button" value="save" data-when="choices" hidden>
            {t('Save choices')}
          </button>
        </div>
        <button className="consent__close" type="button" value="close" aria-label={t('Close')} hidden />
      </div>
    </form>
  )
}

/** Returns the path of the privacy policy; null while it is a draft, or does not exist. */
function usePolicyPath(): string | null {
  const { consent, hasPrivacyPolicy } = useShop()
  if (!consent) return null
  return hasPrivacyPolicy || consent.policyPath !== urls.page('privacy-policy') ? consent.policyPath : null
}

/** Opens the consent banner again; without scripts it links to the privacy policy. */
export function ConsentLink() {
  const { consent, t } = useShop()
  const policyPath = usePolicyPath()
  if (!consent) return null
  return (
    <p className="consent-link">
      <a className="privacy-choices-link" href={policyPath ?? urls.home()}>
        {t('Privacy choices')}
      </a>{' '}
      <span className="consent-status" role="status" />
    </p>
  )
}

function ConsentChoices({ consent: { asks, attribution } }: { consent: ConsentFacts }) {
  const { t } = useShop()
  const words = useConsentWords()
  return (
    <fieldset className="consent__choices" data-when="choices" hidden>
      <legend className="screen-reader-text">{t('What may be remembered or counted')}</legend>
      <div className="consent__choice">
        <label>
          <input type="checkbox" checked readOnly disabled aria-describedby="consent-necessary" /> {t('Necessary')}
        </label>
        <p id="consent-necessary">{t('Cart, login, language and payment. The shop does not work without them.')}</p>
      </div>
      {asks.map((category) => {
        const [name, what] = words(category)
        return (
          <div key={category} className="consent__choice">
            <label>
              <input type="checkbox" name={category} autoComplete="off" aria-describedby={`consent-${category}`} />{' '}
              {name}
            </label>
            <p id={`consent-${category}`}>
              {what}
              {category === attribution &&
                ` ${t('Cookies remember which link, search or campaign brought you here, and your order records it.')}`}
            </p>
          </div>
        )
      })}
    </fieldset>
  )
}

/** Returns the name and purpose of a category. */
function useConsentWords() {
  const { t } = useShop()
  return (category: ConsentCategory): [name: string, what: string] => {
    if (category === 'preferences')
      return [t('Preferences'), t('Remembers your settings, so that you do not have to set them again.')]
    if (category === 'marketing') return [t('Marketing'), t('Shows us which campaigns and other sites bring visitors.')]
    return [t('Statistics'), t('Counts visits and pages, so that we see what works.')]
  }
}
