import { urls } from '#contract/shared/urls.ts'
import { SearchIcon } from '../shared/icons.tsx'
import { useShop } from '../shared/shop-context.tsx'

export type SearchFormProps = {
  /** Id of the field; unique among the forms of a page. */
  id: string
  term?: string
  /** Placeholder of the empty field. */
  placeholder?: string
  /** The id of the list of suggestions, for a field that has one. */
  controls?: string
}

/** The product search form; its result is a page of its own. */
export function SearchForm({ id, term, placeholder, controls }: SearchFormProps) {
  const { t, path } = useShop()
  const combobox =
    controls !== undefined &&
    ({
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': false,
      'aria-controls': controls,
      'data-suggestions': path(urls.searchSuggestions()),
    } as const)
  return (
    <form className="woocommerce-product-search" action={urls.home()} method="get">
      <label className="screen-reader-text" htmlFor={id}>
        {t('Search for:')}
      </label>
      <input
        type="search"
        id={id}
        name="s"
        className="search-field"
        placeholder={placeholder}
        defaultValue={term}
        autoComplete="off"
        enterKeyHint="search"
        maxLength={200}
        {...combobox}
      />
      <input type="hidden" name="post_type" value="product" />
      <button type="submit" aria-label={t('Search')}>
        <SearchIcon />
      </button>
    </form>
  )
}
