import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { type Column, DataGrid, stepOf } from './DataGrid.tsx';

describe('stepOf', () => {
  it('moves by arrows, J and K, pages and ends', () => {
    expect(stepOf('ArrowDown', 3, 10, 50)).toBe(4);
    expect(stepOf('j', -1, 10, 50)).toBe(0);
    expect(stepOf('k', 3, 10, 50)).toBe(2);
    expect(stepOf('ArrowUp', -1, 10, 50)).toBe(0);
    expect(stepOf('PageDown', 3, 10, 50)).toBe(13);
    expect(stepOf('PageUp', 3, 10, 50)).toBe(-7);
    expect(stepOf('Home', 3, 10, 50)).toBe(0);
    expect(stepOf('End', 3, 10, 50)).toBe(49);
    expect(stepOf('x', 3, 10, 50)).toBeUndefined();
  });
});

describe('DataGrid', () => {
  const columns: readonly Column<{ id: string }>[] = [
    { id: 'id', header: 'Name', track: '1fr', cell: (row) => row.id },
    { id: 'wide', header: 'Wide', track: '1fr', dropBelow: 20_000, cell: () => 'extra' },
  ];
  function render(rows: readonly { id: string }[]): string {
    return renderToStaticMarkup(
      <DataGrid
        fit="content"
        label="Things"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        rowHeight={28}
        selected="b"
        onSelect={() => {}}
        empty={<p>nothing here</p>}
      />,
    );
  }
  it('is one stop, counts its rows and names the active one', () => {
    const html = render([{ id: 'a' }, { id: 'b' }]);
    expect(html).toContain('aria-rowcount="3"');
    expect(html.match(/tabindex="0"/gi)).toHaveLength(1);
    expect(html).toMatch(/aria-activedescendant="[^"]*-b"/);
    expect(html.match(/aria-selected="true"/g)).toHaveLength(1);
  });
  it('leaves out a column that does not fit, head and cells', () => {
    const html = render([{ id: 'a' }]);
    expect(html).not.toContain('Wide');
    expect(html).not.toContain('extra');
  });
  it('shows the empty state instead of a grid without rows', () => {
    expect(render([])).toBe('<div class="gridEmpty"><p>nothing here</p></div>');
  });
});
