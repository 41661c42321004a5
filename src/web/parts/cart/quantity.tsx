import { useShop } from '../shared/shop-context.tsx'

export type QuantityProps = {
  id: string
  name: string
  productName: string
  value: number
  min: number
  /** Null: no limit. */
  max: number | null
  /** At most one item: the number is submitted without a choice. */
  fixed?: boolean
}

/**
 * The quantity of a product: a number between two buttons. A delegated script handles the buttons, which are hidden
 * without scripts.
 */
export function Quantity({ id, name, productName, value, min, max, fixed = false }: QuantityProps) {
  const { t } = useShop()
  const label = t('%s quantity', productName)
  return (
    <div className={fixed ? 'quantity hidden' : 'quantity'}>
      {!fixed && (
        <button
          type="button"
          className="minus"
          aria-label={t('Decrease quantity of %s', productName)}
          aria-controls={id}
        />
      )}
      <label className="screen-reader-text" htmlFor={id}>
        {label}
      </label>
      <input
        type={fixed ? 'hidden' : 'number'}
        id={id}
        className="input-text qty text"
        name={name}
        defaultValue={value}
        aria-label={label}
        min={min}
        max={max ?? undefined}
        step={1}
        inputMode="numeric"
        autoComplete="off"
        readOnly={fixed || undefined}
      />
      {!fixed && (
        <button
          type="button"
          className="plus"
          aria-label={t('Increase quantity of %s', productName)}
          aria-controls={id}
        />
      )}
    </div>
  )
}
