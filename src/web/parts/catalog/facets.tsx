import { currencyExponent } from '#domain/money/currency-exponent.ts'
import type { Money } from '#domain/money/money.ts'
import type { ChosenFilter, FacetFacts, FacetOption, ListingFacts } from '#shop/catalog/catalog-facts.ts'
import { currencySymbol } from '../currency/currency-symbol.ts'
import { priceText } from '../currency/price.tsx'
import { classNames } from '../shared/class-names.ts'
import { CloseIcon } from '../shared/icons.tsx'
import { CachedPart } from '../shared/placeholders.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { carriedParameters, formPath } from './listing-parameters.ts'
import { SwatchDot } from './swatches.tsx'

/** Further options of a longer list are collapsed. */
const SHOWN_AT_FIRST = 8

const filtersId = 'listing-filters'

/** Returns the facets with a choice. An option without results is listed only if it is selected. */
export function offeredFacets(facets: readonly FacetFacts[]): FacetFacts[] {
  return facets.flatMap((facet): FacetFacts[] => {
    if (facet.kind === 'price') {
      const chosen = facet.from !== null || facet.to !== null
      return chosen || facet.lowest.minor < facet.highest.minor ? [facet] : []
    }
    const options = facet.options.filter(({ count, selected }) => count > 0 || selected)
    return options.length > 0 ? [{ ...facet, options }] : []
  })
}

/**
 * The filters of a listing: a column, or a drawer where space is missing. The drawer is a popover, which browsers open
 * and close without scripts.
 */
export function Facets({ facts }: { facts: ListingFacts }) {
  const { t, n } = useShop()
  const facets = offeredFacets(facts.facets)
  if (facets.length === 0) return null
  return (
    <section className="listing-filters" id={filtersId} popover="auto" aria-label={t('Filters')}>
      <CachedPart name="filters">
        <FiltersHead />
      </CachedPart>
      {facets.map((facet) => (
        <details key={facet.name} className="facet" open>
          <summary>
            <h2>{t(facet.label)}</h2>
          </summary>
          {facet.kind === 'price' ? (
            <PriceFacet facet={facet} facts={facts} />
          ) : (
            <Options name={facet.name} options={facet.options} alone={facts.chosen.length === 0} />
          )}
        </details>
      ))}
      <p className="listing-filters__foot">
        {facts.clearUrl && (
          <a className="button" rel="nofollow" href={facts.clearUrl}>
            {t('Clear all')}
          </a>
        )}
        <button type="button" className="button alt" popoverTarget={filtersId} popoverTargetAction="hide">
          {n(facts.total, 'Show %s result', 'Show %s results')}
        </button>
      </p>
    </section>
  )
}

function FiltersHead() {
  const { t } = useShop()
  return (
    <p className="listing-filters__head">
      <span>{t('Filters')}</span>
      <button
        type="button"
        className="drawer-close"
        popoverTarget={filtersId}
        popoverTargetAction="hide"
        aria-label={t('Close filters')}
      >
        <CloseIcon />
      </button>
    </p>
  )
}

/** Opens the drawer of filters where they have no column. */
export function FilterButton({ facts }: { facts: ListingFacts }) {
  const { t } = useShop()
  if (offeredFacets(facts.facets).length === 0) return null
  return (
    <button type="button" className="filter-button" popoverTarget={filtersId}>
      <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M3 8h8m6 0h4M3 16h4m6 0h8M14 5.5v5M10 13.5v5" />
      </svg>
      {t('Filters')} {facts.chosen.length > 0 && <span className="count">{facts.chosen.length}</span>}
    </button>
  )
}

/** The applied filters; each entry removes itself. */
export function ChosenFilters({ facts: { chosen, clearUrl } }: { facts: ListingFacts }) {
  const shop = useShop()
  const { t } = shop
  if (chosen.length === 0) return null
  // A range with a single bound is open at the other side.
  const bound = (amount: Money | null) => (amount ? priceText(shop, amount) : '')
  const words = ({ label, price }: ChosenFilter) =>
    price ? `${t('%s:', label)} ${`${bound(price.from)} – ${bound(price.to)}`.trim()}` : label
  return (
    <ul className="chosen-filters" aria-label={t('Chosen filters')}>
      {chosen.map((filter) => (
        <li key={filter.url}>
          <a href={filter.url} rel="nofollow" aria-label={t('Remove filter: %s', words(filter))}>
            {words(filter)} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      {clearUrl && (
        <li>
          <a className="chosen-filters__clear" href={clearUrl} rel="nofollow">
            {t('Clear all')}
          </a>
        </li>
      )}
    </ul>
  )
}

type OptionsProps = {
  name: string
  options: readonly FacetOption[]
  /** No filter is applied yet: only then search engines follow the options. */
  alone: boolean
}

function Options({ name, options, alone }: OptionsProps) {
  const { t } = useShop()
  const item = (option: FacetOption) => <Option key={option.value} name={name} option={option} alone={alone} />
  // One more entry is shorter than the line that would expand it.
  const cut = options.length > SHOWN_AT_FIRST + 1 ? SHOWN_AT_FIRST : options.length
  const rest = options.slice(cut)
  return (
    <>
      <ul className="facet__options">{options.slice(0, cut).map(item)}</ul>
      {rest.length > 0 && (
        <details className="facet__more" open={rest.some(({ selected }) => selected)}>
          <summary>{t('%s more', rest.length)}</summary>
          <ul className="facet__options">{rest.map(item)}</ul>
        </details>
      )}
    </>
  )
}

function Option({ name, option, alone }: { name: string; option: FacetOption; alone: boolean }) {
  const { label, count, selected, url, swatch } = option
  return (
    <li className={classNames('wc-layered-nav-term', selected && 'chosen')}>
      {/* The id lets focus stay on the option while the list around it changes. */}
      <a
        id={`${name}-${option.value}`}
        href={url}
        rel={alone ? undefined : 'nofollow'}
        aria-current={selected ? 'true' : undefined}
      >
        {swatch && <SwatchDot swatch={swatch} />}
        <span className="facet__label">{label}</span> <span className="count">{count}</span>
      </a>
    </li>
  )
}

type PriceFacetProps = { facet: Extract<FacetFacts, { kind: 'price' }>; facts: ListingFacts }

function PriceFacet({ facet, facts }: PriceFacetProps) {
  const shop = useShop()
  const { t } = shop
  const symbol = shop.priceFormat.symbol ?? currencySymbol(facet.lowest.currency)
  return (
    <form className="facet__price" method="get" action={shop.path(formPath(facts))}>
      <p className="facet__range">
        {priceText(shop, facet.lowest)} – {priceText(shop, facet.highest)}
      </p>
      <PriceField
        name="min_price"
        label={t('Lowest price in %s', symbol)}
        bound={floorOf(facet.lowest)}
        value={facet.from}
      />
      <span aria-hidden="true">–</span>
      <PriceField
        name="max_price"
        label={t('Highest price in %s', symbol)}
        bound={ceilingOf(facet.highest)}
        value={facet.to}
      />
      {carriedParameters(facts, ['orderby']).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className="button">
        {t('Apply')}
      </button>
    </form>
  )
}

type PriceFieldProps = { name: string; label: string; bound: number; value: Money | null }

/** The bounds are a hint and no limit: lower values are accepted. */
function PriceField({ name, label, bound, value }: PriceFieldProps) {
  return (
    <input
      type="number"
      className="input-text"
      name={name}
      aria-label={label}
      inputMode="decimal"
      min="0"
      step="any"
      placeholder={String(bound)}
      defaultValue={value ? value.minor / unit(value) : undefined}
    />
  )
}

/** Returns the minor units of a whole unit of the currency. */
function unit({ currency }: Money): number {
  return 10 ** currencyExponent(currency)
}

const floorOf = (amount: Money) => Math.floor(amount.minor / unit(amount))
const ceilingOf = (amount: Money) => Math.ceil(amount.minor / unit(amount))
