<?php
return ['db' => ['prefix' => 'x_']];
