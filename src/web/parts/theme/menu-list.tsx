import { classNames } from '../shared/class-names.ts'
import { type MenuEntry, useShop } from '../shared/shop-context.tsx'

type MenuListProps = {
  /** Prefix of the ids of the lists below: each menu of a page has its own. */
  id: string
  /** Path of the current page. */
  path: string
  /** True if the branch of the current page is expanded. */
  unfolded?: boolean
}

/**
 * The main menu as nested lists. A button beside an entry's link expands the list below it, since the link has a target
 * itself. Without scripts the styles show those lists; nothing has the ARIA role `menu`.
 */
export function MenuList({ id, path, unfolded = false }: MenuListProps) {
  const { menus } = useShop()
  return (
    <ul className="menu">
      {menus.main.map((entry, place) => (
        <MenuItem key={entry.url} entry={entry} id={`${id}-${place + 1}`} path={path} unfolded={unfolded} />
      ))}
    </ul>
  )
}

function MenuItem({ entry, id, path, unfolded }: Required<MenuListProps> & { entry: MenuEntry }) {
  const { t } = useShop()
  const { url, text, children } = entry
  const current = url === path
  const above = children.some((child) => leadsTo(child, path))
  const open = unfolded && (current || above)
  return (
    <li
      className={
        classNames(
          children.length > 0 && 'menu-item-has-children',
          current && 'current-menu-item',
          above && 'current-menu-ancestor',
          open && children.length > 0 && 'menu-item--toggled-on',
        ) || undefined
      }
    >
      <a href={url} aria-current={current ? 'page' : undefined}>
        {text}
      </a>
      {children.length > 0 && (
        <>
          <button
            type="button"
            className="dropdown-nav-toggle"
            aria-expanded={open}
            aria-controls={id}
            aria-label={t('Submenu of %s', text)}
          />
          <ul className={classNames('sub-menu', open && 'toggle-show')} id={id}>
            {children.map((child, place) => (
              <MenuItem key={child.url} entry={child} id={`${id}-${place + 1}`} path={path} unfolded={unfolded} />
            ))}
          </ul>
        </>
      )}
    </li>
  )
}

function leadsTo({ url, children }: MenuEntry, path: string): boolean {
  return url === path || children.some((child) => leadsTo(child, path))
}

/**
 * Returns the path of the current page's menu entry: every page of a list belongs to the list. '' for a page without an
 * entry.
 */
export function menuPath(menu: readonly MenuEntry[], canonical: string): string {
  if (!URL.canParse(canonical)) return ''
  const { pathname, search } = new URL(canonical)
  const path = search ? '' : pathname.replace(/page\/\d+\/$/, '')
  return menu.some((entry) => leadsTo(entry, path)) ? path : ''
}
