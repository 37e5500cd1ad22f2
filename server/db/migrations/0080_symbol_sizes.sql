-- Symbols out of their packages count in what a project keeps in packages.
alter table nuget_symbols add column size bigint not null default 0;
update nuget_symbols s set size = b.size from blobs b where b.id = s.blob_id;
alter table nuget_symbols alter column size drop default,
    add constraint nuget_symbols_size_check check (size >= 0);
update projects p set packages_size = p.packages_size + s.size
from (select project_id, sum(size) as size from nuget_symbols group by project_id) s where s.project_id = p.id;

create trigger nuget_symbols_added after insert on nuget_symbols referencing new table as changed
    for each statement execute function count_package_files();
create trigger nuget_symbols_removed after delete on nuget_symbols referencing old table as changed
    for each statement execute function count_package_files();
