import { urls } from '#contract/shared/urls.ts'
import { CloseIcon } from '../shared/icons.tsx'
import { LinkButton } from '../shared/link-button.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { LanguageLinks } from '../translation/language-switcher.tsx'
import { MenuList } from './menu-list.tsx'

/**
 * The menu where the header has no space for it: a modal dialog. Without scripts the header's link and the closing link
 * are fragment links, and the styles show their target.
 */
export function MenuDrawer({ path }: { path: string }) {
  const { header, t } = useShop()
  return (
    <dialog
      id="menu-drawer"
      className="drawer menu-drawer"
      aria-label={t('Menu')}
      data-close-from={header.breakPoints.desktop}
    >
      <div className="drawer-inner">
        <div className="drawer-header">
          <h2>{t('Menu')}</h2>
          <LinkButton
            className="drawer-close"
            href="#masthead"
            aria-label={t('Close menu')}
            data-toggle-target="#menu-drawer"
          >
            <CloseIcon />
          </LinkButton>
        </div>
        <nav aria-label={t('Menu')}>
          <MenuList id="drawer-menu" path={path} unfolded />
        </nav>
        <a className="menu-drawer__account" href={urls.account()}>
          {t('Account')}
        </a>
        <LanguageLinks className="menu-drawer__languages" />
      </div>
    </dialog>
  )
}
