<html><?= $_SESSION['name'] ?>
<?php if ($_SESSION['in']): ?>
in
<?php endif; ?>