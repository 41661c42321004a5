import { CloseIcon } from '../shared/icons.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { SearchForm } from './search-form.tsx'
import { suggestionsId } from './search-suggestions.tsx'

/**
 * The search above the page. A modal dialog, since it never contains payment parts. Before typing it shows the
 * categories; without scripts it stays closed, and the header contains the form itself.
 */
export function SearchDrawer() {
  const { menu, t } = useShop()
  const categories = menu.filter(({ parentId }) => parentId === null)
  return (
    <dialog id="search-drawer" className="drawer search-drawer" aria-label={t('Search')}>
      <div className="drawer-inner">
        <SearchForm id="search-drawer-field" placeholder={t('What are you looking for?')} controls={suggestionsId} />
        <button
          type="button"
          className="drawer-close"
          aria-label={t('Close search')}
          data-toggle-target="#search-drawer"
        >
          <CloseIcon />
        </button>
        <div className="search-suggestions">
          {categories.length > 0 && (
            <nav className="category-links" aria-label={t('Popular categories')}>
              <ul>
                {categories.map(({ id, name, url }) => (
                  <li key={id}>
                    <a href={url}>{name}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
        </div>
        <p className="screen-reader-text" role="status" />
      </div>
    </dialog>
  )
}
