import { urls } from '#contract/shared/urls.ts'
import type { TermFacts } from '#shop/catalog/catalog-facts.ts'
import { useShop } from '../shared/shop-context.tsx'

/** The path from the front page; the last step is the current page. */
export function Breadcrumbs({ steps, current }: { steps: readonly TermFacts[]; current: string }) {
  const { t } = useShop()
  return (
    <nav className="woocommerce-breadcrumb" aria-label={t('Breadcrumb')}>
      <ol>
        <li>
          <a href={urls.home()}>{t('Home')}</a>
        </li>
        {steps.map((step) => (
          <li key={step.url}>
            <a href={step.url}>{step.name}</a>
          </li>
        ))}
        <li aria-current="page">{current}</li>
      </ol>
    </nav>
  )
}
